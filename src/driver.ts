#!/usr/bin/env node
import { drive } from "./session/drive.ts";

process.exit(await drive(process.env));
