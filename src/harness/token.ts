/** The per-run connection token: 256 bits from the system's generator, known to sidecar and driver alone. */
import { randomBytes } from "node:crypto";

/** Masked before anybody else sees it, so that no log can be earlier than its mask. */
export const createConnectionToken = (mask: (secret: string) => void): string => {
  const token = randomBytes(32).toString("hex");
  mask(token);
  return token;
};
