/** Style sheets are extracted by the build; importing one gives no value. */
declare module "*.css";
