; After AllGather, every member holds every contribution that some member held, and no other. A group of 2 members,
; 4 chunks, 4 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: there are states as described (files called `applies`); in all others, a state that breaks the rule.
; Unsat: the rule holds for every state.
; Built by: p2smt.reduction.catalogue.triples.triples
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 4))
(declare-const m0_c1 (_ BitVec 4))
(declare-const m0_c2 (_ BitVec 4))
(declare-const m0_c3 (_ BitVec 4))
(declare-const m1_c0 (_ BitVec 4))
(declare-const m1_c1 (_ BitVec 4))
(declare-const m1_c2 (_ BitVec 4))
(declare-const m1_c3 (_ BitVec 4))

; AllGather is allowed.
(define-fun t0 () Bool (distinct m0_c0 #x0))
(define-fun t1 () Bool (distinct m0_c1 #x0))
(define-fun t2 () Bool (distinct m0_c2 #x0))
(define-fun t3 () Bool (distinct m0_c3 #x0))
(define-fun t4 () Bool (distinct m1_c0 #x0))
(define-fun t5 () Bool (distinct m1_c1 #x0))
(define-fun t6 () Bool (distinct m1_c2 #x0))
(define-fun t7 () Bool (distinct m1_c3 #x0))
(define-fun t8 () Bool (= (bvadd (bvadd (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t1 #x01 #x00)) (ite t2 #x01
  #x00)) (ite t3 #x01 #x00)) (bvadd (bvadd (bvadd (bvadd #x00 (ite t4 #x01 #x00)) (ite t5 #x01 #x00)) (ite t6 #x01
  #x00)) (ite t7 #x01 #x00))))
(assert (and (and (or t0 t1 t2 t3) (or t4 t5 t6 t7)) (and (not (and t0 t4)) (not (and t1 t5)) (not (and t2 t6)) (not
  (and t3 t7))) t8))

; Some bit is another one afterwards.
(define-fun t9 () (_ BitVec 4) (bvor m0_c0 m1_c0))
(define-fun t10 () Bool (not (= (= #b1 ((_ extract 0 0) t9)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_ extract
  0 0) m1_c0))))))
(define-fun t11 () Bool (not (= (= #b1 ((_ extract 1 1) t9)) (or (= #b1 ((_ extract 1 1) m0_c0)) (= #b1 ((_ extract
  1 1) m1_c0))))))
(define-fun t12 () Bool (not (= (= #b1 ((_ extract 2 2) t9)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_ extract
  2 2) m1_c0))))))
(define-fun t13 () Bool (not (= (= #b1 ((_ extract 3 3) t9)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract
  3 3) m1_c0))))))
(define-fun t14 () (_ BitVec 4) (bvor m0_c1 m1_c1))
(define-fun t15 () Bool (not (= (= #b1 ((_ extract 0 0) t14)) (or (= #b1 ((_ extract 0 0) m0_c1)) (= #b1 ((_ extract
  0 0) m1_c1))))))
(define-fun t16 () Bool (not (= (= #b1 ((_ extract 1 1) t14)) (or (= #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract
  1 1) m1_c1))))))
(define-fun t17 () Bool (not (= (= #b1 ((_ extract 2 2) t14)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_ extract
  2 2) m1_c1))))))
(define-fun t18 () Bool (not (= (= #b1 ((_ extract 3 3) t14)) (or (= #b1 ((_ extract 3 3) m0_c1)) (= #b1 ((_ extract
  3 3) m1_c1))))))
(define-fun t19 () (_ BitVec 4) (bvor m0_c2 m1_c2))
(define-fun t20 () Bool (not (= (= #b1 ((_ extract 0 0) t19)) (or (= #b1 ((_ extract 0 0) m0_c2)) (= #b1 ((_ extract
  0 0) m1_c2))))))
(define-fun t21 () Bool (not (= (= #b1 ((_ extract 1 1) t19)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1 ((_ extract
  1 1) m1_c2))))))
(define-fun t22 () Bool (not (= (= #b1 ((_ extract 2 2) t19)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract
  2 2) m1_c2))))))
(define-fun t23 () Bool (not (= (= #b1 ((_ extract 3 3) t19)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_ extract
  3 3) m1_c2))))))
(define-fun t24 () (_ BitVec 4) (bvor m0_c3 m1_c3))
(define-fun t25 () Bool (not (= (= #b1 ((_ extract 0 0) t24)) (or (= #b1 ((_ extract 0 0) m0_c3)) (= #b1 ((_ extract
  0 0) m1_c3))))))
(define-fun t26 () Bool (not (= (= #b1 ((_ extract 1 1) t24)) (or (= #b1 ((_ extract 1 1) m0_c3)) (= #b1 ((_ extract
  1 1) m1_c3))))))
(define-fun t27 () Bool (not (= (= #b1 ((_ extract 2 2) t24)) (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_ extract
  2 2) m1_c3))))))
(define-fun t28 () Bool (not (= (= #b1 ((_ extract 3 3) t24)) (or (= #b1 ((_ extract 3 3) m0_c3)) (= #b1 ((_ extract
  3 3) m1_c3))))))
(assert (or t10 t11 t12 t13 t15 t16 t17 t18 t20 t21 t22 t23 t25 t26 t27 t28 t10 t11 t12 t13 t15 t16 t17 t18 t20 t21
  t22 t23 t25 t26 t27 t28))

(check-sat)
