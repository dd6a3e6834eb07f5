/** Which addresses `web_fetch` reaches: public web hosts, never this machine or its neighbours' metadata. */

import { BlockList, isIPv4, isIPv6 } from "node:net";
import { approve, deny } from "./decision.ts";
import type { Decision } from "./decision.ts";
import type { Rule } from "./rules.ts";
import { parseUrl } from "../parse-url.ts";

const own = new BlockList();
own.addSubnet("0.0.0.0", 8, "ipv4");
own.addSubnet("127.0.0.0", 8, "ipv4");
own.addSubnet("169.254.0.0", 16, "ipv4");
own.addAddress("168.63.129.16", "ipv4");
own.addAddress("100.100.100.200", "ipv4");
own.addAddress("192.0.0.192", "ipv4");
own.addSubnet("224.0.0.0", 4, "ipv4");
own.addAddress("255.255.255.255", "ipv4");
own.addAddress("::", "ipv6");
own.addAddress("::1", "ipv6");
own.addSubnet("fe80::", 10, "ipv6");
own.addSubnet("ff00::", 8, "ipv6");
own.addSubnet("64:ff9b:1::", 48, "ipv6");
own.addAddress("fd00:ec2::254", "ipv6");
own.addAddress("fd20:ce::254", "ipv6");

const ownNames =
  /(?:^|\.)(?:localhost|localdomain|ip6-(?:localhost|loopback)|metadata\.google\.internal|metadata\.goog|(?:host|gateway)\.docker\.internal|host\.containers\.internal|instance-data(?:\.[\w-]+)*\.internal)$|^(?:metadata|instance-data)$/;

/** IPv6 forms that carry an IPv4 address: mapped, compatible, NAT64, 6to4. */
const carriedAddress = (address: string): string | undefined => {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = groups.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  const numbers = all.map((group) => parseInt(group, 16));
  const prefix = all.slice(0, 6).join(":");
  const dotted = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  if (["0:0:0:0:0:ffff", "0:0:0:0:0:0", "64:ff9b:0:0:0:0", "0:0:0:0:ffff:0"].includes(prefix))
    return dotted(numbers[6], numbers[7]);
  return all[0] === "2002" ? dotted(numbers[1], numbers[2]) : undefined;
};

export const isOwnHost = (host: string): boolean => {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIPv4(bare)) return own.check(bare, "ipv4");
  if (!isIPv6(bare)) return ownNames.test(bare);
  const carried = carriedAddress(bare);
  return own.check(bare, "ipv6") || (carried !== undefined && own.check(carried, "ipv4"));
};

/** `http://a\\@b/` is the host `a` to a browser and `b` to others; line ends inside are dropped by some. */
const readDifferently = /[\\\0-\x1f\x7f]/;

const matchesHost = (rule: string, url: URL, host: string): boolean => {
  const withPort = /:\d+$/.test(rule) && !rule.endsWith("]");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const candidate = withPort ? `${host}:${port}` : host;
  return rule.startsWith("*.") ? candidate.endsWith(rule.slice(1)) : candidate === rule;
};

export const decideUrl = (rules: readonly Rule[], text: string): Decision => {
  const mine = rules.filter((rule) => rule.kind === "web_fetch");
  if (mine.length === 0) return deny("no-rule", "Fetching a URL needs the permission `web_fetch`.", text);
  if (readDifferently.test(text))
    return deny("malformed-request", "The URL has characters that not every program reads alike.", text);
  const url = parseUrl(text);
  if (url === undefined) return deny("malformed-request", "The request has no usable URL.", text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return deny("protected-address", `\`web_fetch\` does not reach \`${url.protocol}\` addresses.`, text);
  if (url.username !== "" || url.password !== "")
    return deny("protected-address", "`web_fetch` does not send credentials in an address.", text);
  const host = url.hostname.replace(/\.+$/, "");
  if (host === "" || isOwnHost(host))
    return deny(
      "protected-address",
      "`web_fetch` does not reach this machine or its local network link.",
      text,
    );
  const rule = mine.find(
    (candidate) => candidate.host === undefined || matchesHost(candidate.host, url, host),
  );
  if (rule !== undefined) return approve(rule.text);
  return deny("no-rule", `The host \`${host}\` matches no \`web_fetch(…)\` entry.`, text, mine[0]?.text);
};
