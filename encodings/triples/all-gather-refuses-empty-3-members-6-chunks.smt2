; AllGather is refused where a member holds no chunk. A group of 3 members, 6 chunks, 6 contributors; m1_c0 is what
; member 1 holds of chunk 0, bit j for the contribution of j.
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

; AllGather is allowed.
(define-fun t0 () Bool (distinct m0_c0 #b000000))
(define-fun t1 () Bool (distinct m0_c1 #b000000))
(define-fun t2 () Bool (distinct m0_c2 #b000000))
(define-fun t3 () Bool (distinct m0_c3 #b000000))
(define-fun t4 () Bool (distinct m0_c4 #b000000))
(define-fun t5 () Bool (distinct m0_c5 #b000000))
(define-fun t6 () Bool (distinct m1_c0 #b000000))
(define-fun t7 () Bool (distinct m1_c1 #b000000))
(define-fun t8 () Bool (distinct m1_c2 #b000000))
(define-fun t9 () Bool (distinct m1_c3 #b000000))
(define-fun t10 () Bool (distinct m1_c4 #b000000))
(define-fun t11 () Bool (distinct m1_c5 #b000000))
(define-fun t12 () Bool (distinct m2_c0 #b000000))
(define-fun t13 () Bool (distinct m2_c1 #b000000))
(define-fun t14 () Bool (distinct m2_c2 #b000000))
(define-fun t15 () Bool (distinct m2_c3 #b000000))
(define-fun t16 () Bool (distinct m2_c4 #b000000))
(define-fun t17 () Bool (distinct m2_c5 #b000000))
(define-fun t18 () Bool (and (and (not (and t0 t6)) (not (and (or t0 t6) t12))) (and (not (and t1 t7)) (not (and (or
  t1 t7) t13))) (and (not (and t2 t8)) (not (and (or t2 t8) t14))) (and (not (and t3 t9)) (not (and (or t3 t9)
  t15))) (and (not (and t4 t10)) (not (and (or t4 t10) t16))) (and (not (and t5 t11)) (not (and (or t5 t11) t17)))))
(define-fun t19 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t6 #x01 #x00)) (ite t7 #x01
  #x00)) (ite t8 #x01 #x00)) (ite t9 #x01 #x00)) (ite t10 #x01 #x00)) (ite t11 #x01 #x00)))
(define-fun t20 () Bool (and (= (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t1 #x01
  #x00)) (ite t2 #x01 #x00)) (ite t3 #x01 #x00)) (ite t4 #x01 #x00)) (ite t5 #x01 #x00)) t19) (= t19 (bvadd (bvadd
  (bvadd (bvadd (bvadd (bvadd #x00 (ite t12 #x01 #x00)) (ite t13 #x01 #x00)) (ite t14 #x01 #x00)) (ite t15 #x01
  #x00)) (ite t16 #x01 #x00)) (ite t17 #x01 #x00)))))
(assert (and (and (or t0 t1 t2 t3 t4 t5) (or t6 t7 t8 t9 t10 t11) (or t12 t13 t14 t15 t16 t17)) t18 t20))

; And yet: a member holds no chunk.
(define-fun t21 () Bool (or (and (= m0_c0 #b000000) (= m0_c1 #b000000) (= m0_c2 #b000000) (= m0_c3 #b000000) (=
  m0_c4 #b000000) (= m0_c5 #b000000)) (and (= m1_c0 #b000000) (= m1_c1 #b000000) (= m1_c2 #b000000) (= m1_c3
  #b000000) (= m1_c4 #b000000) (= m1_c5 #b000000)) (and (= m2_c0 #b000000) (= m2_c1 #b000000) (= m2_c2 #b000000) (=
  m2_c3 #b000000) (= m2_c4 #b000000) (= m2_c5 #b000000))))
(assert t21)

(check-sat)
