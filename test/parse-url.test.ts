import { parseUrl } from "../src/parse-url.ts";

it("reads a host beyond ASCII however often it is asked", () => {
  const hosts = Array.from({ length: 30_000 }, () => parseUrl("https://münchen.example/")?.hostname);
  expect([...new Set(hosts)]).toEqual(["xn--mnchen-3ya.example"]);
});

it("reads what is relative, and nothing in what is no URL", () => {
  expect(parseUrl("/a", new URL("https://example.com/b"))?.href).toBe("https://example.com/a");
  expect(parseUrl("http://")).toBeUndefined();
  expect(parseUrl("/a")).toBeUndefined();
});
