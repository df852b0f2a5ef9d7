package net.sluice.core.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.core.declaration.Bodies.RioBody;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.Form;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.Aqm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeTest {
  /** One component has no description. */
  @Form(name = "Bare", says = "A record.")
  public record Bare(@Field(number = 1, says = "A number.") int one, int two) {}

  /** Nothing is said of the record. */
  public record Unnamed(@Field(number = 1, says = "A number.") int one) {}

  /** A sentence is empty. */
  @Form(name = "Silent", says = "A record.")
  public record Silent(@Field(number = 1, says = "") int one) {}

  /** Two components have one number. */
  @Form(name = "Twice", says = "A record.")
  public record Twice(
      @Field(number = 1, says = "A number.") int one,
      @Field(number = 1, says = "Another one.") int two) {}

  /** A component is of a type that no field has. */
  @Form(name = "Odd", says = "A record.")
  public record Odd(@Field(number = 1, says = "Anything.") Object one) {}

  @ParameterizedTest
  @ValueSource(classes = {Bare.class, Unnamed.class, Silent.class, Twice.class, Odd.class})
  void aRecordThatIsNotDescribedHasNoShape(Class<?> type) {
    assertThatThrownBy(() -> Shape.of(type)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theErrorNamesTheComponent() {
    assertThatThrownBy(() -> Shape.of(Bare.class))
        .hasMessage("component two of " + Bare.class + " has no description");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyFieldOfABodyIsDescribed(Kind kind) {
    assertThat(BodyMapping.shape(kind).components())
        .isNotEmpty()
        .allSatisfy(component -> assertThat(component.allowed()).isNotEmpty());
  }

  /** Defaults of the document and the binder are those of the model. */
  @Test
  void defaultsAreTheModels() {
    Shape<RioBody> shape = Shape.of(RioBody.class);
    RioBody absent = shape.make(new Object[shape.size()]);
    assertThat(BodyMapping.aqm(Optional.empty(), Optional.of(absent))).contains(new Aqm.Rio());
  }

  @Test
  void valuesAreWrappedAndUnwrapped() {
    Shape<Bodies.ScopeBody> shape = Shape.of(Bodies.ScopeBody.class);
    Bodies.ScopeBody scope = shape.make(new Object[] {null, "bng1", 7, null});
    assertThat(scope)
        .isEqualTo(
            new Bodies.ScopeBody(
                Optional.empty(), Optional.of("bng1"), OptionalInt.of(7), OptionalInt.empty()));
    assertThat(shape.components().stream().map(component -> component.get(scope)).toArray())
        .containsExactly(null, "bng1", 7, null);
    assertThat(shape.components())
        .extracting(Component::name)
        .containsExactly("subscriber", "switch", "port", "tree");
    assertThat(shape.place("port", 0)).isEqualTo(2);
    assertThat(shape.place("leaf", 0)).isNegative();
  }
}
