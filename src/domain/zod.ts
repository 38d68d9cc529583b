/**
 * zod without code generation, because the pages' Content-Security-Policy forbids eval. Import it from here, so that no
 * schema exists before this setting, and as a namespace (`import * as z`), so that the bundle contains only what is used.
 */
import { config } from "zod/mini";

config({ jitless: true });

export * from "zod/mini";
