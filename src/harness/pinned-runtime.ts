/** The runtime that this release was built and tested with, as the lock file pins it. */

export const runtimeVersion = "1.0.14";

/** Integrity of each platform's package. A platform that is not listed is never installed by us. */
export const runtimeIntegrity: Readonly<Record<string, string>> = {
  "linux-x64":
    "sha512-1wlAVTK1z7ovAez0tixr+f77TnjB3fqKobamu1pG7FYyCTwQuyU4p1aWNXF9j/u1d7rxSY1n9cAxrtEAUkizbg==",
  "linuxmusl-x64":
    "sha512-tNNeJl53hXEkqeGudNAsHQk9OrSUbt2EdPhtugcQxscabaEFutd7KwQH6jmvvYW7Sifgl59ySWTd4ok/9I94kg==",
};
