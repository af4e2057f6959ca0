//! A stack with one value for each position of a line of moves.

/// One value per position. The value of the current position is on top.
#[derive(Clone, Debug)]
pub(crate) struct LineStack<T> {
    pub top: T,
    /// The values of the earlier positions, oldest first.
    earlier: Vec<T>,
}

impl<T: Copy> LineStack<T> {
    /// Length of the longest line that needs no reallocation.
    const RESERVED: usize = 256;

    /// Creates a line without moves.
    pub fn new(top: T) -> LineStack<T> {
        LineStack { top, earlier: Vec::with_capacity(LineStack::<T>::RESERVED) }
    }

    /// Pushes a copy of the top value and returns a reference to it.
    #[inline]
    pub fn push(&mut self) -> &mut T {
        self.earlier.push(self.top);
        &mut self.top
    }

    /// Pops the top value. Panics if no move was pushed.
    #[inline]
    pub fn pop(&mut self) {
        match self.earlier.pop() {
            Some(top) => self.top = top,
            None => panic!("no move to take back"),
        }
    }
}
