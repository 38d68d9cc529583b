/**
 * zod as INV uses it: the small build, and never compiling code at run time, because the pages'
 * Content-Security-Policy forbids eval. Schemas import it from here, so that none is made before the
 * setting; as a namespace (`import * as z`), so that the bundle holds only what is used of it.
 */
import { config } from "zod/mini";

config({ jitless: true });

export * from "zod/mini";
