"""The demo's report as a page of its own, with a chart of who got what over time."""

import html

COLOURS = ["#b8860b", "#e69f00", "#6e7f80", "#56b4e9", "#0072b2", "#cc79a7", "#009e73", "#d55e00"]
_VERDICTS = {True: "ok", False: "<b>no</b>", None: "not measured"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 420, 60, 150, 20, 40


def _step(high):
    """A round distance between lines of the grid."""
    size = 10.0
    while size / 10 * 4 >= high:
        size /= 10
    for factor in (1, 2, 5, 10, 20, 50, 100):
        if size / 10 * factor * 6 >= high:
            return size / 10 * factor
    return high / 6


def chart(samples, steps, names, gaps=()):
    """SVG: Mbit/s of each subscriber over time, and what each should have had.

    samples: (seconds, [bit/s of each subscriber])
    steps: (title, first second, last second, [bit/s predicted])
    gaps: (first second, last second) that were not measured
    """
    end = max([when for when, _ in samples] + [last for _, _, last, _ in steps] + [1.0])
    top = max([max(rates) for _, rates in samples] + [max(want) for _, _, _, want in steps] + [1e5])
    top *= 1.05 / 1e6

    def x(when):
        return LEFT + (WIDTH - LEFT - RIGHT) * when / end

    def y(mbps):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(mbps, top) / top

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">' % (WIDTH, HEIGHT)]
    grid = _step(top)
    mark = 0.0
    while mark <= top:
        out.append(
            '<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f"'
            ' text-anchor="end">%g</text>' % (LEFT, WIDTH - RIGHT, y(mark), y(mark), LEFT - 6, y(mark) + 4, mark)
        )
        mark += grid
    for title, first, last, predicted in steps:
        out.append(
            '<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="#f4f4f4"/><text x="%.1f" y="%d">%s</text>'
            % (x(first), TOP, x(last) - x(first), HEIGHT - TOP - BOTTOM, x(first) + 4, TOP + 14,
               html.escape(title))
        )
        for index, rate in enumerate(predicted):
            out.append(
                '<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="%s" stroke-dasharray="5 4"/>'
                % (x(first), x(last), y(rate / 1e6), y(rate / 1e6), COLOURS[index % len(COLOURS)])
            )
    for first, last in gaps:
        out.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="#f3c9c9"/>'
                   % (x(first), TOP + 20, x(last) - x(first), HEIGHT - TOP - BOTTOM - 20))
    for index, name in enumerate(names):
        colour = COLOURS[index % len(COLOURS)]
        points = " ".join("%.1f,%.1f" % (x(when), y(rates[index] / 1e6)) for when, rates in samples)
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (points, colour))
        out.append('<text x="%d" y="%d" fill="%s">%s</text>'
                   % (WIDTH - RIGHT + 8, TOP + 14 + 18 * index, colour, html.escape(name)))
    out.append('<text x="%d" y="%d">seconds</text>' % ((LEFT + WIDTH - RIGHT) // 2, HEIGHT - 4))
    mark = 0
    while mark <= end:
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (x(mark), HEIGHT - BOTTOM + 16, mark))
        mark += 10 if end <= 150 else 30
    out.append('<text x="6" y="%d">Mbit/s</text></svg>' % (TOP - 6))
    return "\n".join(out)


def page(title, summary, svg, rows, remarks=()):
    """The whole page."""
    body = "".join(
        "<tr>%s<td>%s</td></tr>"
        % ("".join("<td>%s</td>" % html.escape(cell) for cell in (row.step, row.what, *row.cells())),
           _VERDICTS[row.ok])
        for row in rows
    )
    notes = "".join("<p>%s</p>" % html.escape(remark) for remark in remarks)
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>%s</title><style>body{font:15px'
        " sans-serif;max-width:1000px;margin:2em auto}svg text{font:12px sans-serif}td,th{padding:2px"
        " 12px;text-align:left}</style><h1>%s</h1><p>%s</p>%s<p>Solid: frames that left the bottleneck"
        " towards each subscriber. Dashed: what the declarations make of the line. Red: the machine"
        " did not keep up, which does not count.</p>%s<table><tr>"
        "<th>step</th><th>what</th><th>expected</th><th>measured</th><th></th><th>bound</th>"
        "<th></th></tr>%s</table></html>\n"
        % (html.escape(title), html.escape(title), html.escape(summary), svg, notes, body)
    )
