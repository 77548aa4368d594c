#!/bin/sh
# Creates an ordinary database user for the hub. Row security does not apply to superusers, so the hub refuses to run as one.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$HUB_PASSWORD" -U postgres <<'SQL'
create role hub login password :'password';
create database hub owner hub;
SQL
