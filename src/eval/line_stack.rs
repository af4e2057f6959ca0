//! What is known of each position of a line of moves.

/// One value a position, that of the current one on top.
#[derive(Clone, Debug)]
pub(super) struct LineStack<T> {
    pub top: T,
    /// Those of the earlier positions, oldest first.
    earlier: Vec<T>,
}

impl<T: Copy> LineStack<T> {
    /// Longest line that needs no new memory.
    const RESERVED: usize = 256;

    /// A line without moves.
    pub fn new(top: T) -> LineStack<T> {
        LineStack { top, earlier: Vec::with_capacity(LineStack::<T>::RESERVED) }
    }

    /// Begins a new position with the value of the one before, and shows it to be changed.
    #[inline]
    pub fn push(&mut self) -> &mut T {
        self.earlier.push(self.top);
        &mut self.top
    }

    /// Goes back to the position before. Panics if there is none.
    #[inline]
    pub fn pop(&mut self) {
        match self.earlier.pop() {
            Some(top) => self.top = top,
            None => panic!("no move to take back"),
        }
    }
}
