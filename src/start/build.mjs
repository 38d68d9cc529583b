/**
 * `npm run build`: installs what is missing and builds, also where nothing has changed. `INV_PUBLIC_URL` is the https
 * address that people will reach the server by; without it, the development address.
 */
import { build, checkNode, install } from "./prepare.mjs";

checkNode();
install();
build({ isAnew: true });
