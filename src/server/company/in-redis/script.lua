-- One step of an account's quota, where its state lies. Compiled from script.ts: the rule is the one that serves a
-- single process. Redis forbids globals that are not there, and the compiled text asks whether this one is.
local require = nil
