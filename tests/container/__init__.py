"""Tests in real containers, made on the spot by Debian's own tools: no registry is asked."""
