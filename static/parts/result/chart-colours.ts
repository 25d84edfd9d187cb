// The colours of a chart, read from the page's own: canvas knows no variables.

/** The colours of a chart, each one that canvas understands. */
export interface ChartColours {
  ink: string;
  faint: string;
  line: string;
  ground: string;
  land: string;
  series: string[];
}

const SERIES = 8;

/** The colours that are in force at an element. */
export function coloursAt(element: HTMLElement): ChartColours {
  const probe = document.createElement("span");
  element.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    ink: read("--ink"),
    faint: read("--ink-faint"),
    line: read("--line"),
    ground: read("--ground"),
    land: read("--line-strong"),
    series: Array.from({ length: SERIES }, (_, i) => read(`--chart-${i + 1}`)),
  };
  probe.remove();
  return colours;
}
