/** Names that mean what they say. */

/** A command name without anything that a shell could still change. */
export const executableName = /^[\w.+@%:,/-]+$/;

/** Variables to which no program gives a meaning: loops, `read` and assignments on their own may set them. */
export const freeVariable =
  /^(?!.*_proxy$|(?:npm|yarn|pnpm|fish|ac_cv)_|histchars$|auto_resume$)[a-z][a-z0-9_]*$|^[A-Z]$|^(?:FILE|DIR|NAME|LINE|ITEM)$/;
