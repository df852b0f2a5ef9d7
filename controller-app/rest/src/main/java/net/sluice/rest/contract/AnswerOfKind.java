package net.sluice.rest.contract;

import io.swagger.v3.oas.annotations.media.Schema;

/** In what all kinds of declarations share, the answer that tells one of the kind. */
@Schema(ref = "#/components/schemas/{kind}Answer")
public interface AnswerOfKind {}
