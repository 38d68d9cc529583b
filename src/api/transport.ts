/** The one way out: everything INV sends goes through a Transport, which `addin` and the tests give. */
export type Transport = (request: Request) => Promise<Response>;
