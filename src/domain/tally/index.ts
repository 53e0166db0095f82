/** How often something may be done, and how much of that is used up. */
export {
  abandonedAfterMs,
  type Count,
  clientSpans,
  flowSpans,
  forgottenAtMs,
  isWithin,
  type LoginBounds,
  numberSpans,
  type OpenLogin,
  type OpenSession,
  roomAfterMs,
  type Span,
  startedWithinMs,
  type Tally,
  usualLoginBounds,
  withTime,
} from './login-bounds.ts';
