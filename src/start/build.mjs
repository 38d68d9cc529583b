/**
 * `npm run build`: installs what is missing and builds, even if nothing has changed. `INV_PUBLIC_URL` is the
 * server's public https address. Without it, the build is for the development address.
 */
import { build, checkNode, install } from "./prepare.mjs";

checkNode();
install();
build({ isForced: true });
