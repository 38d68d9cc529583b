/** Before each test of jest's project "german": the host has German settings and speaks German. */
process.env.INV_TEST_CULTURE = "german";
