; What transforms rest on: a chunk of slices is moved like the slices. Tensors of any size, cut in any way, on any
; number of ranks; a case per claim.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun beyond_chunk3_III (Int Int Int) Value)
(declare-fun case0 () Bool)
(declare-fun chunk () Int)
(declare-fun chunk_of_I (Int) Int)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun y2_II (Int Int) Value)

; a chunk of slices is moved like the slices: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (chunk_of_I i) chunk)))
(assert (or (not case0) (= (owner_I i) rank)))
(assert (or (not case0) (not (= (ite (and (= (chunk_of_I i) chunk) (= (owner_I i) rank)) (y2_II rank i)
  (beyond_chunk3_III chunk rank i)) (y2_II rank i)))))

; Some case is chosen.
(assert case0)

(check-sat)
