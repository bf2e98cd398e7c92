; What transforms rest on: a chunk is moved like the whole. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-fun chunk () Int)
(declare-fun chunk_of_I (Int) Int)
(declare-fun i () Int)

; a chunk is moved like the whole: the lemmas' instances.
(assert (= (chunk_of_I i) chunk))

(check-sat)
