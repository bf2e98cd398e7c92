; What transforms rest on: a broadcast of the root's sum. Tensors of any size, cut in any way, on any number of
; ranks; a case per claim.
;
; Source: transforms of distributed programs; p2smt/schedule/lemmas.py
; Sat: some claim does not hold.
; Unsat: every claim holds.
; Built by: p2smt.schedule.catalogue.all_scripts
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun case0 () Bool)
(declare-fun i () Int)
(declare-fun nothing1_I (Int) Value)
(declare-fun root () Int)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun summands1_I (Int) TensorTable)

; a broadcast of the root's sum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (not (= (ite (= root root) (sum1_T (summands1_I i)) (nothing1_I root)) (sum1_T (summands1_I
  i))))))

; Some case is chosen.
(assert case0)

(check-sat)
