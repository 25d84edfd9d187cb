// The two APIs behind one way to send and to stream: where a call goes, what its body is and who reads the answer.
import type { OpenAiApi } from "../../config/openai-api.js";
import type { Failures } from "../http/failure.js";
import { ProviderError, type ProviderOptions, type ReplyRequest } from "../provider.js";
import { createBodyText } from "./body.js";
import { createReplyReader, type ReplyReader } from "./reply.js";
import { createResponsesBodyText } from "./responses/body.js";
import { createResponsesReader } from "./responses/reply.js";

/** One of them, for one provider. */
interface Api {
  /** After the base address. */
  path: string;
  bodyText(request: ReplyRequest): string;
  createReader(): ReplyReader;
  /** Whether the same call may work once more after this failure, with another body from now on. */
  adapts(error: unknown): boolean;
}

/** A model without reasoning may refuse to encrypt it, and only the answer to a first call says so. */
const REFUSES_ENCRYPTION = /encrypted[ _.]content/i;

/** The API of this name. With `isOpenAi` the limit of a reply has its newer name, which other servers do not know. */
export function createApi(
  api: OpenAiApi,
  options: ProviderOptions,
  { failures, isOpenAi }: { failures: Failures; isOpenAi: boolean },
): Api {
  switch (api) {
    case "chat":
      return {
        path: "chat/completions",
        bodyText: createBodyText(options, isOpenAi ? "max_completion_tokens" : "max_tokens"),
        createReader: () => createReplyReader(failures),
        adapts: () => false,
      };
    case "responses": {
      const bodyText = createResponsesBodyText(options);
      let isEncrypted = true;
      return {
        path: "responses",
        bodyText: (request) => bodyText(request, isEncrypted),
        createReader: () => createResponsesReader(failures),
        adapts(error) {
          const refused = error instanceof ProviderError && !error.retryable && REFUSES_ENCRYPTION.test(error.message);
          if (!refused || !isEncrypted) return false;
          isEncrypted = false;
          return true;
        },
      };
    }
    default:
      return api satisfies never;
  }
}
