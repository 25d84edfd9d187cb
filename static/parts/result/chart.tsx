// The chart of a result's rows, drawn on a canvas by echarts; the library is loaded with this file. What it displays is computed where the
// rows are. For those who do not see it there are a sentence and a table.
import * as charts from "echarts/charts";
import * as components from "echarts/components";
import { type ECharts, init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { useEffect, useRef, useState } from "preact/hooks";
import { errorText } from "../../state/api.js";
import { theme } from "../../state/theme.js";
import { type ChartSpec, drawsPoints } from "../../values/chart.js";
import { type ChartData, chartSummary, dataOfGroups, dataOfRows, measureLabel } from "../../values/chart-data.js";
import type { Computed, GroupBy } from "../../values/group.js";
import { labelOf } from "../../values/names.js";
import { counted } from "../format.js";
import { Spinner } from "../icons.js";
import { coloursAt } from "./chart-colours.js";
import { ChartControls } from "./chart-controls.js";
import { type ChartParts, chartOption } from "./chart-option.js";
import { saveBlob } from "./save.js";
import type { RowsState } from "./use-result.js";

use([
  charts.LineChart,
  charts.BarChart,
  charts.PieChart,
  charts.ScatterChart,
  charts.LinesChart,
  components.GridComponent,
  components.TooltipComponent,
  components.LegendComponent,
  components.GeoComponent,
  CanvasRenderer,
  SVGRenderer,
]);

/** The most rows that are drawn as they are. */
const MAX_ROWS = 5000;
/** Rows of the table for those who do not see the chart. */
const MAX_TABLE = 60;
/** The pictures that are saved. */
const PICTURE = { width: 1200, height: 640 };

let world: Promise<void> | undefined;

/** Loads the outlines of the countries, once. */
function loadWorld(): Promise<void> {
  world ??= import("./world.js").then(({ registerWorld }) => registerWorld());
  return world;
}

/** What is drawn of the rows that match. */
interface Drawn {
  data: ChartData;
  /** Says which rows are left out, where some are. */
  omitted?: string;
}

async function loadData({ source, query }: RowsState, spec: ChartSpec, signal: AbortSignal): Promise<Drawn> {
  if (spec.type === "map") await loadWorld();
  if (spec.aggregate === "none" || drawsPoints(spec)) {
    const { rows, matching } = await source.page(query, { offset: 0, limit: MAX_ROWS, signal });
    const data = dataOfRows(rows, spec);
    if (matching <= rows.length) return { data };
    return { data, omitted: `Only the first ${rows.length.toLocaleString()} of ${counted(matching, "row")} are drawn` };
  }
  const by: GroupBy[] = [{ field: spec.x, granularity: spec.granularity }];
  if (spec.split !== "") by.push({ field: spec.split });
  const computed: Computed[] =
    spec.y === "" || spec.aggregate === "count" ? [] : [{ aggregate: spec.aggregate, field: spec.y }];
  return { data: dataOfGroups(await source.groups(query, { by, computed, signal }), spec) };
}

/** What a chart draws; undefined until it is here. */
function useData(list: RowsState, spec: ChartSpec) {
  const [data, setData] = useState<(Drawn & { spec: ChartSpec }) | undefined>(undefined);
  const [error, setError] = useState("");
  useEffect(() => {
    const aborted = new AbortController();
    setError("");
    loadData(list, spec, aborted.signal).then(
      (drawn) => aborted.signal.aborted || setData({ ...drawn, spec }),
      (failure: unknown) => aborted.signal.aborted || setError(errorText(failure)),
    );
    return () => aborted.abort();
  }, [list.source, list.query, spec]);
  return { drawn: data, error };
}

/** Draws again when the colours of the system change. */
function useSystemScheme(): boolean {
  const [isDark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const change = () => setDark(media.matches);
    media.addEventListener("change", change);
    return () => media.removeEventListener("change", change);
  }, []);
  return isDark;
}

function Canvas({ list, data, spec }: { list: RowsState; data: ChartData; spec: ChartSpec }) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts>(undefined);
  const isDark = useSystemScheme();
  const scheme = theme.value;
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const made = init(current, null, { renderer: "canvas" });
    chart.current = made;
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(current);
    return () => {
      observer.disconnect();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    if (box.current === null) return;
    const isAnimated = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const parts: ChartParts = { data, spec, columns: list.columns, colours: coloursAt(box.current), isAnimated };
    chart.current?.setOption(chartOption(parts), { notMerge: true });
  }, [data, spec, scheme, isDark]);
  return <div ref={box} class="chart-canvas" role="img" aria-label={chartSummary(data, spec)} />;
}

/** The same values as a table, for those who do not see the chart. */
function HiddenTable({ data, spec }: { data: ChartData; spec: ChartSpec }) {
  if (drawsPoints(spec)) return null;
  return (
    <table class="visually-hidden">
      <caption>{chartSummary(data, spec)}</caption>
      <thead>
        <tr>
          <th scope="col">{labelOf(spec.x)}</th>
          {data.series.map(({ name }) => (
            <th scope="col" key={name}>
              {name === "" ? measureLabel(spec) : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data.categories.slice(0, MAX_TABLE).map((category, at) => (
          <tr key={category}>
            <th scope="row">{category}</th>
            {data.series.map(({ name, values }) => (
              <td key={name}>{values[at]?.toLocaleString() ?? ""}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The chart as a picture: of points, or of shapes that stay sharp at any size. */
async function picture(parts: ChartParts, format: "png" | "svg"): Promise<Blob> {
  if (format === "svg") {
    const made = init(null, null, { renderer: "svg", ssr: true, ...PICTURE });
    made.setOption({ ...chartOption(parts), backgroundColor: parts.colours.ground });
    const text = made.renderToSVGString();
    made.dispose();
    return new Blob([text], { type: "image/svg+xml" });
  }
  const canvas = document.createElement("div");
  const made = init(canvas, null, { renderer: "canvas", devicePixelRatio: 2, ...PICTURE });
  made.setOption({ ...chartOption(parts), backgroundColor: parts.colours.ground });
  const drawn = made.renderToCanvas({ pixelRatio: 2, backgroundColor: parts.colours.ground });
  made.dispose();
  return new Promise((resolve, reject) =>
    drawn.toBlob((blob) => (blob === null ? reject(new Error("The picture could not be made.")) : resolve(blob))),
  );
}

/** A chart with what changes and saves it. */
export function Chart({ list, spec }: { list: RowsState; spec: ChartSpec }) {
  const figure = useRef<HTMLElement>(null);
  const { drawn, error } = useData(list, spec);
  const save = async (format: "png" | "svg") => {
    if (drawn === undefined || figure.current === null) return;
    const parts = { ...drawn, columns: list.columns, colours: coloursAt(figure.current), isAnimated: false };
    saveBlob(await picture(parts, format), `${list.fileName}.${format}`);
  };
  return (
    <figure class="chart" ref={figure}>
      <ChartControls list={list} spec={spec} />
      {error !== "" && (
        <p class="error-text" role="alert">
          {error}
        </p>
      )}
      {drawn === undefined ? (
        error === "" && <Spinner />
      ) : (
        <>
          <Canvas list={list} data={drawn.data} spec={drawn.spec} />
          <HiddenTable data={drawn.data} spec={drawn.spec} />
          <figcaption class="chart-foot">
            {drawn.omitted !== undefined && <span class="faint">{drawn.omitted}</span>}
            {drawn.data.hidden > 0 && (
              <span class="faint">{`${drawn.data.hidden.toLocaleString()} ${drawn.data.isByTime ? "later" : "smaller"} ones are not drawn`}</span>
            )}
            {drawn.data.points.length === 0 && drawn.data.categories.length === 0 && (
              <span class="faint">Nothing to draw.</span>
            )}
            <span class="spacer" />
            <button type="button" class="link" onClick={() => void save("png")}>
              Save as PNG
            </button>
            <button type="button" class="link" onClick={() => void save("svg")}>
              Save as SVG
            </button>
          </figcaption>
        </>
      )}
    </figure>
  );
}
