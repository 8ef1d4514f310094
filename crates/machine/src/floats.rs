//! Floating-point instructions on concrete or symbolic values, in the rounding mode of the running state.

use secateur_expr::float;
use secateur_program::{FloatCast, FloatCmp, FloatOp, FloatUnOp};

use crate::machine::Machine;
use crate::value::Value;

impl Machine {
    pub(crate) fn float(&mut self, op: FloatOp, width: u8, x: Value, y: Value) -> Value {
        let value = match (x.expr, y.expr) {
            (None, None) => Value::concrete(float::binary_in(self.rounding, op, width, x.bits, y.bits)),
            _ => {
                let (ex, ey) = (self.expr(x, width), self.expr(y, width));
                let result = self.pool.float_in(self.rounding, op, ex, ey);
                self.value(result)
            }
        };
        value.tainted(x.uninit() | y.uninit())
    }

    pub(crate) fn float_un(&mut self, op: FloatUnOp, width: u8, x: Value) -> Value {
        match x.expr {
            None => Value { bits: float::unary_in(self.rounding, op, width, x.bits), ..x },
            Some(expr) => {
                let result = self.pool.float_un_in(self.rounding, op, expr);
                self.value(result).tainted(x.uninit())
            }
        }
    }

    pub(crate) fn float_cmp(&mut self, cmp: FloatCmp, width: u8, x: Value, y: Value) -> Value {
        let value = match (x.expr, y.expr) {
            (None, None) => Value::concrete(u64::from(float::compare(cmp, width, x.bits, y.bits))),
            _ => {
                let (ex, ey) = (self.expr(x, width), self.expr(y, width));
                let result = self.pool.float_cmp(cmp, ex, ey);
                self.value(result)
            }
        };
        value.tainted(x.uninit() | y.uninit())
    }

    pub(crate) fn float_cast(&mut self, op: FloatCast, from: u8, to: u8, x: Value) -> Value {
        match x.expr {
            None => Value { bits: float::cast_in(self.rounding, op, from, to, x.bits), ..x },
            Some(expr) => {
                let result = self.pool.float_cast_in(self.rounding, op, expr, to);
                self.value(result).tainted(x.uninit())
            }
        }
    }

    pub(crate) fn fused_mul_add(&mut self, width: u8, x: Value, y: Value, z: Value) -> Value {
        let (ex, ey, ez) = (self.expr(x, width), self.expr(y, width), self.expr(z, width));
        let result = self.pool.fused_mul_add_in(self.rounding, ex, ey, ez);
        self.value(result).tainted(x.uninit() | y.uninit() | z.uninit())
    }
}
