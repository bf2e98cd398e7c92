; What d holds lies within what e holds only if eF is in dF, dM in eM, and they agree on eF and outside eM.
;
; Source: p2smt/reduction/semantics/README.md, section 3.3
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const d1 (_ BitVec 16))
(declare-const e1 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dM1 Bool)
(declare-const eF1 Bool)
(declare-const eM1 Bool)
(declare-const size1 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(define-fun t1 () Bool (bvult d1 size1))
(assert t1)
(assert (bvult e1 size1))

; The claim does not hold.
(define-fun t2 () Bool (not eF1))
(define-fun t3 () Bool (not dF1))
(define-fun t4 () (_ BitVec 16) (ite (= e1 #x0000) #x0001 #x0000))
(define-fun t5 () (_ BitVec 16) (ite (and eF1 t3) t4 d1))
(define-fun t6 () Bool (not dM1))
(define-fun t7 () Bool (not t6))
(define-fun t8 () Bool (= d1 d1))
(define-fun t9 () Bool (or t7 t8))
(define-fun t10 () Bool (not eM1))
(define-fun t11 () Bool (not t10))
(define-fun t12 () Bool (= d1 e1))
(define-fun t13 () Bool (or t11 t12))
(define-fun t14 () Bool (or t3 t8))
(define-fun t15 () (_ BitVec 16) (ite (and dM1 t10) t4 d1))
(define-fun t16 () Bool (or t2 t12))
(define-fun t17 () Bool (and (and t14 t9) (not (and t16 t13)) (and t0 t1 t1)))
(define-fun t18 () Bool (and (or (or t2 dF1) (and (and (or t3 (= t5 d1)) t9) (not (and (or t2 (= t5 e1)) t13)) (and
  t0 (bvult t5 size1) t1))) (or (or t6 eM1) (and (and t14 (or t7 (= t15 d1))) (not (and t16 (or t11 (= t15 e1))))
  (and t0 t1 (bvult t15 size1)))) (or t16 t17) (or t13 t17)))
(assert (not t18))

(check-sat)
