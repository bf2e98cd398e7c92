; What d holds lies within what e holds only if eF is in dF, dM in eM, and they agree on eF and outside eM.
;
; Source: p2smt/reduction/semantics/README.md, section 3.3
; Sat: the assumptions can hold together (files called `possible`); in all others, the lemma is wrong.
; Unsat: the lemma holds for levels of every size.
; Built by: p2smt.reduction.catalogue.lemmas.lemmas
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
(declare-const e1 (_ BitVec 16))
(declare-const e2 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const dM1 Bool)
(declare-const dM2 Bool)
(declare-const eF1 Bool)
(declare-const eF2 Bool)
(declare-const eM1 Bool)
(declare-const eM2 Bool)
(declare-const size1 (_ BitVec 16))
(declare-const size2 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(define-fun t1 () Bool (bvuge size2 #x0002))
(assert t1)
(define-fun t2 () Bool (bvult d1 size1))
(assert t2)
(define-fun t3 () Bool (bvult d2 size2))
(assert t3)
(assert (bvult e1 size1))
(assert (bvult e2 size2))

; The claim does not hold.
(define-fun t4 () Bool (not eF1))
(define-fun t5 () Bool (not eF2))
(define-fun t6 () Bool (not dF1))
(define-fun t7 () (_ BitVec 16) (ite (= e1 #x0000) #x0001 #x0000))
(define-fun t8 () (_ BitVec 16) (ite (and eF1 t6) t7 d1))
(define-fun t9 () Bool (not dF2))
(define-fun t10 () (_ BitVec 16) (ite (= e2 #x0000) #x0001 #x0000))
(define-fun t11 () (_ BitVec 16) (ite (and eF2 t9) t10 d2))
(define-fun t12 () Bool (not dM1))
(define-fun t13 () Bool (not t12))
(define-fun t14 () Bool (= d1 d1))
(define-fun t15 () Bool (not dM2))
(define-fun t16 () Bool (not t15))
(define-fun t17 () Bool (= d2 d2))
(define-fun t18 () Bool (and (or t13 t14) (or t16 t17)))
(define-fun t19 () Bool (not eM1))
(define-fun t20 () Bool (not t19))
(define-fun t21 () Bool (= d1 e1))
(define-fun t22 () Bool (not eM2))
(define-fun t23 () Bool (not t22))
(define-fun t24 () Bool (= d2 e2))
(define-fun t25 () Bool (and (or t20 t21) (or t23 t24)))
(define-fun t26 () Bool (or (and (or t4 dF1) (or t5 dF2)) (and (and (and (or t6 (= t8 d1)) (or t9 (= t11 d2))) t18)
  (not (and (and (or t4 (= t8 e1)) (or t5 (= t11 e2))) t25)) (and t0 t1 (bvult t8 size1) (bvult t11 size2) t2 t3))))
(define-fun t27 () Bool (and (or t6 t14) (or t9 t17)))
(define-fun t28 () (_ BitVec 16) (ite (and dM1 t19) t7 d1))
(define-fun t29 () (_ BitVec 16) (ite (and dM2 t22) t10 d2))
(define-fun t30 () Bool (and (or t4 t21) (or t5 t24)))
(define-fun t31 () Bool (or (and (or t12 eM1) (or t15 eM2)) (and (and t27 (and (or t13 (= t28 d1)) (or t16 (= t29
  d2)))) (not (and t30 (and (or t20 (= t28 e1)) (or t23 (= t29 e2))))) (and t0 t1 t2 t3 (bvult t28 size1) (bvult t29
  size2)))))
(define-fun t32 () Bool (and (and t27 t18) (not (and t30 t25)) (and t0 t1 t2 t3 t2 t3)))
(assert (not (and t26 t31 (or t30 t32) (or t25 t32))))

(check-sat)
