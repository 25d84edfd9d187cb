// A server that answers everything at once, in a process of its own: how long this machine lets a request wait. Prints its address.
import { createServer } from "node:http";

const server = createServer((_, response) => response.end("{}"));
server.listen(0, "127.0.0.1", () => console.log(`ready http://127.0.0.1:${server.address().port}`));
