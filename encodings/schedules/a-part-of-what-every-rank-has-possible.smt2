; What transforms rest on: a part of what every rank has. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)

; a part of what every rank has: the lemmas' instances.

(check-sat)
