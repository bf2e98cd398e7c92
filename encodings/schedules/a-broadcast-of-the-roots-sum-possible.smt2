; What transforms rest on: a broadcast of the root's sum. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)

; a broadcast of the root's sum: the lemmas' instances.

(check-sat)
