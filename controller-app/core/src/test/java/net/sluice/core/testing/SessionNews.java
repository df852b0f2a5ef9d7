package net.sluice.core.testing;

import java.util.Collection;
import net.sluice.core.target.Target.SessionListener;

/** Notes what a session is told: {@code up}, or {@code down: } and why. */
public final class SessionNews implements SessionListener {
  private final Collection<String> news;

  /** Adds to {@code news}, on whatever thread it is told. */
  public SessionNews(Collection<String> news) {
    this.news = news;
  }

  @Override
  public void up() {
    news.add("up");
  }

  @Override
  public void down(String reason) {
    news.add("down: " + reason);
  }
}
