/** The build extracts style sheets; importing one returns no value. */
declare module "*.css";
