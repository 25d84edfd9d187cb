// A client of /chat in a process of its own, which can be stopped: `chat-client.ts ws://…/chat`. Prints "open".
import { WebSocket } from "ws";

const socket = new WebSocket(process.argv[2] ?? "");
socket.on("open", () => console.log("open"));
socket.on("error", () => {});
