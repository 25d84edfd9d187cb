// GET /-/results/{id}: the whole result of a recorded call, as a page of JSON or as a file. Source: docs/reference.md, "Whole results"
import type { Request, Response } from "express";
import type { Agent } from "../../domain/agent.js";
import { AppError } from "../../domain/error.js";
import { RESULT_MEDIA_TYPES, type ResultFile } from "../../domain/result-query.js";
import { toJson } from "../../lib/json.js";
import { queryOf } from "../access/admit.js";
import { parseQuery } from "../request/query.js";
import { formatOf, toResultQuery } from "../request/result-query.js";
import type { StreamTimes } from "../response/event-stream.js";
import { goneSignal, sendJson, sendPieces } from "../response/respond.js";
import { parameterOf, type Route } from "../route.js";

const ROW_ID = /^[1-9]\d{0,14}$/;

const unknown = (id: string): AppError =>
  new AppError("not_found", `There is no call ${JSON.stringify(id)} on record, or its result is gone.`);

/** A name that every system takes, whatever the tool is called. */
const fileName = ({ tool, format }: ResultFile, id: number): string =>
  `${tool.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 100)}-${id}.${format}`;

/** The route over an agent. */
export function resultRoute(agent: Agent, { stalledMs }: StreamTimes): Route {
  const handle = async (req: Request, res: Response): Promise<void> => {
    const id = parameterOf(req);
    const given = parseQuery("result", queryOf(req.url));
    if (!ROW_ID.test(id)) throw unknown(id);
    const query = toResultQuery(given);
    const { format, isFile } = formatOf(req, given);
    const signal = goneSignal(req, res);
    try {
      if (!isFile) {
        const answer = await agent.result(Number(id), query, signal);
        if (!answer) throw unknown(id);
        return sendJson(res, toJson(answer));
      }
      const file = await agent.resultFile(Number(id), query, { format, signal });
      if (!file) throw unknown(id);
      try {
        const headers = {
          "Content-Type": RESULT_MEDIA_TYPES[file.format],
          "Content-Disposition": `attachment; filename="${fileName(file, Number(id))}"`,
          "Cache-Control": "no-store",
        };
        if (req.method === "HEAD") res.writeHead(200, headers).end();
        else await sendPieces(res, headers, { pieces: file.chunks, signal, stalledMs });
      } finally {
        await file.close();
      }
    } catch (error) {
      // Its client has gone, and nobody is left to be told.
      if (signal.aborted) return void res.destroy();
      throw error;
    }
  };
  return { method: "get", path: "/-/results/{id}", handle };
}
