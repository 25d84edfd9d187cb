// The classes of requests and responses. Express gives every request and response another prototype, and what it and its routes add to
// them afterwards gives each one a hidden class of its own: nothing that reads them is ever cached, and garbage of the size of the
// request stays until the next full collection. Made with that prototype from the start, there is nothing for Express to change.
import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";

/** The options of `createServer` that say what requests and responses are made of. */
export interface ExchangeClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/** Classes of the app's own prototypes. One use per app: from then on they are the prototypes that it gives. */
export function createExchangeClasses(app: Express): ExchangeClasses {
  const prototypes = app as unknown as { request: object; response: object };
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, prototypes.request);
  Object.setPrototypeOf(AppResponse.prototype, prototypes.response);
  prototypes.request = AppRequest.prototype;
  prototypes.response = AppResponse.prototype;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse as typeof ServerResponse };
}
