/**
 * zod as this room uses it: the small build, and never compiling code at run time, because the pages'
 * Content-Security-Policy forbids eval. Schemas import it from here, so that none is made before the setting.
 */
import * as z from "zod/mini";

z.config({ jitless: true });

export { z };
