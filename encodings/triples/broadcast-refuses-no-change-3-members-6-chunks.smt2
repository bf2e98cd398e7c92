; Broadcast is refused where every member already holds what the root has. A group of 3 members, 6 chunks, 6
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: there are states as described (files called `applies`); in all others, a state that breaks the rule.
; Unsat: the rule holds for every state.
; Built by: p2smt.reduction.catalogue.triples.triples
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 6))
(declare-const m0_c1 (_ BitVec 6))
(declare-const m0_c2 (_ BitVec 6))
(declare-const m0_c3 (_ BitVec 6))
(declare-const m0_c4 (_ BitVec 6))
(declare-const m0_c5 (_ BitVec 6))
(declare-const m1_c0 (_ BitVec 6))
(declare-const m1_c1 (_ BitVec 6))
(declare-const m1_c2 (_ BitVec 6))
(declare-const m1_c3 (_ BitVec 6))
(declare-const m1_c4 (_ BitVec 6))
(declare-const m1_c5 (_ BitVec 6))
(declare-const m2_c0 (_ BitVec 6))
(declare-const m2_c1 (_ BitVec 6))
(declare-const m2_c2 (_ BitVec 6))
(declare-const m2_c3 (_ BitVec 6))
(declare-const m2_c4 (_ BitVec 6))
(declare-const m2_c5 (_ BitVec 6))

; Broadcast is allowed.
(define-fun t0 () (_ BitVec 6) (bvnot m0_c0))
(define-fun t1 () (_ BitVec 6) (bvnot m0_c1))
(define-fun t2 () (_ BitVec 6) (bvnot m0_c2))
(define-fun t3 () (_ BitVec 6) (bvnot m0_c3))
(define-fun t4 () (_ BitVec 6) (bvnot m0_c4))
(define-fun t5 () (_ BitVec 6) (bvnot m0_c5))
(define-fun t6 () Bool (and (= #b000000 (bvand m1_c0 t0)) (= #b000000 (bvand m1_c1 t1)) (= #b000000 (bvand m1_c2
  t2)) (= #b000000 (bvand m1_c3 t3)) (= #b000000 (bvand m1_c4 t4)) (= #b000000 (bvand m1_c5 t5)) (= #b000000 (bvand
  m2_c0 t0)) (= #b000000 (bvand m2_c1 t1)) (= #b000000 (bvand m2_c2 t2)) (= #b000000 (bvand m2_c3 t3)) (= #b000000
  (bvand m2_c4 t4)) (= #b000000 (bvand m2_c5 t5))))
(define-fun t7 () Bool (or (distinct m1_c0 m0_c0) (distinct m1_c1 m0_c1) (distinct m1_c2 m0_c2) (distinct m1_c3
  m0_c3) (distinct m1_c4 m0_c4) (distinct m1_c5 m0_c5) (distinct m2_c0 m0_c0) (distinct m2_c1 m0_c1) (distinct m2_c2
  m0_c2) (distinct m2_c3 m0_c3) (distinct m2_c4 m0_c4) (distinct m2_c5 m0_c5)))
(assert (and (or (distinct m0_c0 #b000000) (distinct m0_c1 #b000000) (distinct m0_c2 #b000000) (distinct m0_c3
  #b000000) (distinct m0_c4 #b000000) (distinct m0_c5 #b000000)) t6 t7))

; And yet: every member already holds what the root has.
(assert (and (= m1_c0 m0_c0) (= m1_c1 m0_c1) (= m1_c2 m0_c2) (= m1_c3 m0_c3) (= m1_c4 m0_c4) (= m1_c5 m0_c5) (=
  m2_c0 m0_c0) (= m2_c1 m0_c1) (= m2_c2 m0_c2) (= m2_c3 m0_c3) (= m2_c4 m0_c4) (= m2_c5 m0_c5)))

(check-sat)
