package net.sluice.onos.cli;

import java.util.List;
import java.util.function.Function;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.Page;
import net.sluice.onos.Services;
import net.sluice.onos.SluiceService;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Ids of subscribers: the first {@link Page#MAX_LIMIT}, on the instance that leads. */
@Service
public class SubscriberIdCompleter extends AbstractChoicesCompleter {
  @Override
  protected List<String> choices() {
    return ids(controller -> controller.subscribers(0, Page.MAX_LIMIT));
  }

  /** Reads ids from one page of a list; none where there is no list to be had. */
  static List<String> ids(Function<Controller, Page<?>> list) {
    try {
      return list.apply(Services.get(SluiceService.class).controller()).items().stream()
          .map(Declared::id)
          .toList();
    } catch (ControllerException e) {
      // Completion is no place for complaints: the command itself will say what is wrong.
      return List.of();
    }
  }
}
