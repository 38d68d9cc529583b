/** Everything that INV sends goes through a Transport, which `addin` and the tests provide. */
export type Transport = (request: Request) => Promise<Response>;
