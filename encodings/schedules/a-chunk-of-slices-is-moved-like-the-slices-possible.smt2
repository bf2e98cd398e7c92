; What transforms rest on: a chunk of slices is moved like the slices. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-fun chunk () Int)
(declare-fun chunk_of_I (Int) Int)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)

; a chunk of slices is moved like the slices: the lemmas' instances.
(assert (= (chunk_of_I i) chunk))
(assert (= (owner_I i) rank))

(check-sat)
