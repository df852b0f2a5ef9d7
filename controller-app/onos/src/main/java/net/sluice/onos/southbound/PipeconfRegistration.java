package net.sluice.onos.southbound;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the compiled programs known to ONOS for as long as the application is active. */
@Component(immediate = true, service = PipeconfRegistration.class)
public class PipeconfRegistration {
  private static final Logger LOG = LoggerFactory.getLogger(PipeconfRegistration.class);

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected PiPipeconfService pipeconfService;

  private final List<PiPipeconfId> registered = new ArrayList<>();

  @Activate
  protected void activate() {
    for (PiPipeconf pipeconf : Pipeconfs.all()) {
      // One of that name is there if the application stopped without a word before.
      if (pipeconfService.getPipeconf(pipeconf.id()).isPresent()) {
        pipeconfService.unregister(pipeconf.id());
      }
      pipeconfService.register(pipeconf);
      registered.add(pipeconf.id());
      LOG.info("pipeconf {} registered", pipeconf.id());
    }
  }

  @Deactivate
  protected void deactivate() {
    registered.forEach(pipeconfService::unregister);
    registered.clear();
  }
}
