// Reads a spreadsheet back: the files of a ZIP archive, and the cells of its first sheet.
import { inflateRawSync } from "node:zlib";

/** The files of an archive, as texts by name. */
export function filesOf(bytes: Uint8Array): Map<string, string> {
  const zip = Buffer.from(bytes);
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const files = new Map<string, string>();
  for (let at = zip.readUInt32LE(end + 16), left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const head = zip.readUInt32LE(at + 42);
    const start = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    files.set(name, (zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)).toString("utf8"));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A text as a spreadsheet reads it: entities first, then what it has for characters that XML lacks. */
const textOf = (xml: string): string =>
  xml
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const columnOf = (letters: string): number => [...letters].reduce((at, one) => at * 26 + one.charCodeAt(0) - 64, 0) - 1;

/** The cells of the first sheet, row by row; null for empty ones before another. */
export function cellsOf(bytes: Uint8Array): (string | number | boolean | null)[][] {
  const files = filesOf(bytes);
  const texts = [...(files.get("xl/sharedStrings.xml") ?? "").matchAll(/<t(?: xml:space="preserve")?>([^<]*)<\/t>/g)];
  return [...(files.get("xl/worksheets/sheet1.xml") ?? "").matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(
    ([, row = ""]) => {
      const cells: (string | number | boolean | null)[] = [];
      for (const [, letters = "", type, value = ""] of row.matchAll(
        /<c r="([A-Z]+)\d+"(?: s="\d+")?(?: t="(\w)")?><v>([^<]*)<\/v>/g,
      )) {
        const at = columnOf(letters);
        while (cells.length < at) cells.push(null);
        cells.push(
          type === "s" ? textOf(texts[Number(value)]?.[1] ?? "") : type === "b" ? value === "1" : Number(value),
        );
      }
      return cells;
    },
  );
}
