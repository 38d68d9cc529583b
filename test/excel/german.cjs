/** Setup of the jest project "german": the host has German settings and language. */
process.env.INV_TEST_CULTURE = "german";
