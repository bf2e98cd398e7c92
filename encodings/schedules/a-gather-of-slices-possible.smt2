; What transforms rest on: a gather of slices. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun gathered1_I (Int) Value)
(declare-fun i () Int)
(declare-fun other () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun y2_II (Int Int) Value)

; a gather of slices: the lemmas' instances.
(assert (= (owner_I i) rank))
(assert (= (owner_I i) other))
(assert (= (gathered1_I i) (y2_II other i)))

(check-sat)
