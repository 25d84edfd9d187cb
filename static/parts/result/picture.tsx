// Pictures whose bytes are in a result, or kept beside its record: small where they stand, as large as the screen by a click, and saved.
import { useEffect, useState } from "preact/hooks";
import { pictureOf } from "../../../src/domain/picture.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { openedPicture } from "../../state/opened-picture.js";
import { loadPicture } from "../../state/row-source.js";
import { fileOf } from "../../values/cell.js";
import { labelOf } from "../../values/names.js";
import { isInlineImage } from "../../values/picture.js";
import { size } from "../format.js";
import { Spinner } from "../icons.js";
import { Sheet } from "./sheet.js";
import "../../style/result.css";

/** A picture where it stands. */
export function Picture({ src, name }: { src: string; name: string }) {
  const open = () => {
    openedPicture.value = { src, name };
  };
  return (
    <button type="button" class="picture" aria-label={`Enlarge ${labelOf(name)}`} title="Enlarge" onClick={open}>
      <img class="inline-image" src={src} alt="" />
    </button>
  );
}

function SaveLink({ src }: { src: string }) {
  const format = /^data:image\/([a-z]+)/i.exec(src)?.[1] ?? "png";
  return (
    <a href={src} download={`picture.${format}`}>
      Save the picture
    </a>
  );
}

/** The picture that was opened, as large as the screen. */
export function PictureSheet() {
  const { value } = openedPicture;
  if (value === undefined) return null;
  const close = () => {
    openedPicture.value = undefined;
  };
  return (
    <Sheet title={labelOf(value.name)} kind="whole" onClose={close}>
      <img class="whole-picture" src={value.src} alt={labelOf(value.name)} />
      <p class="result-note">
        <SaveLink src={value.src} />
      </p>
    </Sheet>
  );
}

/** A picture that is kept beside its record: loaded when it is displayed. */
function KeptPicture({ history_id, bytes }: { history_id: number; bytes: number }) {
  const [src, setSrc] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    const show = (url: string) => isGone || setSrc(url);
    loadPicture(history_id).then(show, () => show(""));
    return () => {
      isGone = true;
    };
  }, [history_id]);
  if (src === undefined)
    return (
      <p class="faint result-note" aria-busy={true}>
        <Spinner /> Loading {size(bytes)}
      </p>
    );
  if (!isInlineImage(src)) return <NotKept />;
  return (
    <div class="field kept-picture">
      <Picture src={src} name="picture" />
      <p class="result-note">
        <SaveLink src={src} />
      </p>
    </div>
  );
}

function NotKept() {
  return <p class="faint result-note">The file itself is not kept: only its type, its size and its SHA-256.</p>;
}

/** Of a result that is a file what is kept of it: of a picture all, which is among the fields or beside the record. */
export function FileNote({ value, history_id }: { value: JsonObject; history_id: number | undefined }) {
  const file = fileOf(value);
  if (file === undefined) return null;
  if (pictureOf(value) !== undefined)
    return (
      <p class="result-note">
        <SaveLink src={String(value["data"])} />
      </p>
    );
  if (history_id === undefined || !file.type.startsWith("image/")) return <NotKept />;
  return <KeptPicture history_id={history_id} bytes={file.bytes} />;
}
