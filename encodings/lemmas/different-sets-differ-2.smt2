; A device with (dF, dM) and with (eF, eM): unless dF is in eF and eM in dM, the matrices differ.
;
; Source: p2smt/reduction/semantics/README.md, section 2
; Sat: the assumptions can hold together (files called `possible`); in all others, the lemma is wrong.
; Unsat: the lemma holds for levels of every size.
; Built by: p2smt.reduction.catalogue.lemmas.lemmas
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
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
(assert (bvult d1 size1))
(assert (bvult d2 size2))

; The claim does not hold.
(define-fun t2 () Bool (not dF1))
(define-fun t3 () Bool (not dF2))
(define-fun t4 () Bool (not eF1))
(define-fun t5 () (_ BitVec 16) (ite (= d1 #x0000) #x0001 #x0000))
(define-fun t6 () (_ BitVec 16) (ite (and dF1 t4) t5 d1))
(define-fun t7 () Bool (= t6 d1))
(define-fun t8 () Bool (not eF2))
(define-fun t9 () (_ BitVec 16) (ite (= d2 #x0000) #x0001 #x0000))
(define-fun t10 () (_ BitVec 16) (ite (and dF2 t8) t9 d2))
(define-fun t11 () Bool (= t10 d2))
(define-fun t12 () Bool (not dM1))
(define-fun t13 () Bool (not t12))
(define-fun t14 () Bool (= d1 d1))
(define-fun t15 () Bool (not dM2))
(define-fun t16 () Bool (not t15))
(define-fun t17 () Bool (= d2 d2))
(define-fun t18 () Bool (not eM1))
(define-fun t19 () Bool (not t18))
(define-fun t20 () Bool (not eM2))
(define-fun t21 () Bool (not t20))
(define-fun t22 () (_ BitVec 16) (ite (and eM1 t12) t5 d1))
(define-fun t23 () Bool (= t22 d1))
(define-fun t24 () (_ BitVec 16) (ite (and eM2 t15) t9 d2))
(define-fun t25 () Bool (= t24 d2))
(define-fun t26 () Bool (and (or (and (or t2 eF1) (or t3 eF2)) (and (not (and (and (or t2 t7) (or t3 t11)) (and (or
  t13 t14) (or t16 t17)))) (and (and (or t4 t7) (or t8 t11)) (and (or t19 t14) (or t21 t17))))) (or (and (or t18
  dM1) (or t20 dM2)) (and (not (and (and (or t2 t14) (or t3 t17)) (and (or t13 t23) (or t16 t25)))) (and (and (or t4
  t14) (or t8 t17)) (and (or t19 t23) (or t21 t25))))) (and t0 t1 (bvult t6 size1) (bvult t10 size2) (bvult t22
  size1) (bvult t24 size2))))
(assert (not t26))

(check-sat)
