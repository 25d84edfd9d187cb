// Style sheets that a part of the page brings along.
declare module "*.css";
