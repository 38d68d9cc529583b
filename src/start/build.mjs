/**
 * `npm run build`: installs what is missing and builds, even if nothing has changed.
 */
import { build, checkNode, install } from "./prepare.mjs";

checkNode();
install();
build({ isForced: true });
